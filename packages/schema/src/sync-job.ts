import { z } from 'zod';

/** "Try this lead now". Holds the id and nothing else: the row is the truth, and jobs carry no personal data. */
export const syncJob = z.strictObject({ leadId: z.uuid() });
export type SyncJob = z.infer<typeof syncJob>;
