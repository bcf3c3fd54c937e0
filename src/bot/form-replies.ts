import { dropAnswer } from './buttons/drop.ts'
import type { FormReply } from './command.ts'
import { dropPuzzle } from './commands/drop.ts'
import { messageTipForm, personForm } from './menus/tip.ts'

/** What is done with every form that can be filled in. */
export const formReplies: readonly FormReply[] = [dropAnswer, dropPuzzle, messageTipForm, personForm]
