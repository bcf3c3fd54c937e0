import type { Command } from './command.ts'
import { balance } from './commands/balance.ts'
import { claim } from './commands/claim.ts'
import { deposit } from './commands/deposit.ts'
import { help } from './commands/help.ts'
import { invoice } from './commands/invoice.ts'
import { link } from './commands/link.ts'
import { tip } from './commands/tip.ts'
import { unlink } from './commands/unlink.ts'
import { withdraw } from './commands/withdraw.ts'

/** Every slash command, in the order in which the documentation lists them. */
export const commands: readonly Command[] = [tip, balance, link, unlink, deposit, withdraw, invoice, claim, help]
