// For tests that run a program: builds what has changed, so that none runs an older one.
import { buildPrograms } from './steps.mjs';

export const setup = () => buildPrograms({});
