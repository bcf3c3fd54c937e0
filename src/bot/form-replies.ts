import { dropAnswer } from './buttons/drop.ts'
import type { FormReply } from './command.ts'
import { personForm, tallyForm } from './menus/tip.ts'

/** What is done with every form that can be filled in. */
export const formReplies: readonly FormReply[] = [dropAnswer, tallyForm, personForm]
