import { helpTopic } from '../help/command.ts'
import { historyReceipt } from '../history/command.ts'
import type { Choice } from '../interactions/command.ts'
import { poolRole } from '../pools/guide.ts'
import { settingsMine, settingsServer } from '../settings/choices.ts'

/** Handlers of every menu that was ever shown under a message and still works. */
export const choices: readonly Choice[] = [settingsMine, settingsServer, helpTopic, historyReceipt, poolRole]
