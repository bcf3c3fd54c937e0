import { z } from 'zod'

/**
 * The schema of an id in a proof. A proof may come from anybody, and its ids are printed, so text of any other form
 * must not reach a terminal.
 */
export const printableId = z.string().regex(/^[\w-]{1,64}$/, { error: 'must be an id' })
