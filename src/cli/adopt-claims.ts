import { parseArgs } from 'node:util'
import { readClaimsFile } from '../assembly/claim-files.ts'
import { openForOperators } from '../assembly/open-for-operators.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { refuseEmptyName } from '../lib/empty-name.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { silentLogger } from '../lib/logger.ts'
import { Problem } from '../lib/problem.ts'
import { inJson } from './operator-order.ts'
import { fail } from './run.ts'

/**
 * `satchel adopt-claims FILE --key KEY`: credits members, once, with the sats that another bot owes them. The sats come
 * from the operator's account.
 */
async function main(args: readonly string[]): Promise<void> {
  const { file, key } = read(args)
  const list = readClaimsFile(file, key)
  process.umask(0o077)
  const config = readConfig()
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const access = await openForOperators(config, config.service.port, runtime)
  try {
    console.log(inJson(await access.windDown.adopt(list)))
  } finally {
    await access.close()
  }
}

function read(args: readonly string[]): { readonly file: string; readonly key: string | undefined } {
  try {
    const options = { key: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const [file] = positionals
    if (file === undefined || positionals.length > 1) throw new Error('Give exactly one FILE.')
    refuseEmptyName(file, 'Give the file with the list of claims.')
    return { file, key: values.key }
  } catch (error) {
    throw new Problem(`${error instanceof Error ? error.message : String(error)} See satchel adopt-claims --help`)
  }
}

await main(process.argv.slice(2)).catch(fail)
