// For tests that run a program: builds changed programs, so that no test runs an older one.
import { buildPrograms } from './steps.mjs';

export const setup = () => buildPrograms({});
