import { dropAnswer } from './buttons/drop.ts'
import type { FormReply } from './command.ts'

/** What is done with every form that can be filled in. */
export const formReplies: readonly FormReply[] = [dropAnswer]
