import type { MenuCommand } from '../interactions/command.ts'
import { tipMessage, tipPerson } from '../tips/menu.ts'

/** Commands in the menus of messages and people. */
export const menuCommands: readonly MenuCommand[] = [tipMessage, tipPerson]
