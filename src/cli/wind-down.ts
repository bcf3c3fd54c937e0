import { ensureClaimsKey, writeClaimsFile } from '../assembly/claim-files.ts'
import { openForOperators } from '../assembly/open-for-operators.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { silentLogger } from '../lib/logger.ts'
import { Problem } from '../lib/problem.ts'
import { TippingRefusal } from '../tipping/tipping.ts'
import { inJson, inWords } from './operator-order.ts'
import { fail } from './run.ts'
import { readWindDownOrder, type WriteClaims } from './wind-down-order.ts'

/** `satchel wind-down …`: ends the bot in such a way that everybody gets their sats. The bot runs meanwhile. */
async function main(args: readonly string[]): Promise<void> {
  const order = readWindDownOrder(args)
  process.umask(0o077)
  const config = readConfig()
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const access = await openForOperators(config, config.service.port, runtime)
  const { dataFolder } = config
  const write: WriteClaims = async (file, isFirst, list) => {
    ensureClaimsKey(dataFolder, { isFirst })
    return writeClaimsFile(dataFolder, file, { ...(await list()), madeAt: new Date(systemClock.now()) })
  }
  try {
    console.log(inJson(await order(access, write)))
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    throw new Problem(inWords(error, access))
  } finally {
    await access.close()
  }
}

await main(process.argv.slice(2)).catch(fail)
