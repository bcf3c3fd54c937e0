import { z } from 'zod'

/** An id in a proof. The file may come from anybody, and its ids are printed, so no other text may reach a terminal. */
export const printableId = z.string().regex(/^[\w-]{1,64}$/, { error: 'must be an id' })
