import type { Tipping } from '../../tipping/tipping.ts'
import { commands } from './commands.ts'
import { menuCommands } from './menu-commands.ts'

/** Features that need no balance. Rewards are paid from a server's wallet then, and `/pool` is about that. Operators have the console. */
const WITHOUT_CUSTODY = [
  ...['tip', 'drop', 'rain', 'link', 'unlink', 'wallet', 'leaderboard', 'stats', 'settings', 'privacy', 'help'],
  ...['history', 'receipt', 'reward', 'pool balance', 'pool budget', 'admin page'],
]

/** The commands that can do something where this tipping is. */
export function offeredBy(tipping: Tipping) {
  const isThere = ({ name, offered }: (typeof commands)[number]) =>
    (tipping.holdsSats || WITHOUT_CUSTODY.includes(name)) && (offered?.(tipping) ?? true)
  return { commands: commands.filter(isThere), menuCommands }
}
