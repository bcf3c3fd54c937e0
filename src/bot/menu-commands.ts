import type { MenuCommand } from './command.ts'

/** What is in the menus of messages and people. */
export const menuCommands: readonly MenuCommand[] = []
