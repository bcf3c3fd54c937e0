import type { MenuCommand } from './command.ts'
import { tipMessage, tipPerson } from './menus/tip.ts'

/** What is in the menus of messages and people. */
export const menuCommands: readonly MenuCommand[] = [tipMessage, tipPerson]
