import { z } from 'zod';

/** A job that tries one lead now. It holds only the id: the row has the current data, and jobs carry no personal data. */
export const syncJob = z.strictObject({ leadId: z.uuid() });
export type SyncJob = z.infer<typeof syncJob>;
