import { parseArgs } from 'node:util'
import { audit } from '../assembly/audit/audit.ts'
import { printAudit } from '../assembly/audit/print-audit.ts'
import { providerToAudit } from '../assembly/audit/provider-to-audit.ts'
import { isServiceAlone } from '../assembly/backup/contents.ts'
import { readConfig } from '../config/config.ts'
import { systemClock } from '../lib/clock.ts'
import { systemEntropy } from '../lib/entropy.ts'
import { silentLogger } from '../lib/logger.ts'
import { fail } from './run.ts'

/**
 * `npm run audit`: compares both books, the wallet and the open operations, which also works while everything runs.
 * Exits with 1 if anything differs. If the payments service runs alone, audits only its book. `--json` prints
 * everything for programs, with amounts in msats as strings.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const config = readConfig()
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const provider = await providerToAudit(config, runtime)
  try {
    const tipping = isServiceAlone(config) ? undefined : config.tippingDatabaseUrl
    const report = await audit({ tipping, provider: provider.source, clock: systemClock })
    const amounts = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)
    console.log(values.json ? JSON.stringify(report, amounts, 2) : printAudit(report))
    process.exitCode = report.holds ? 0 : 1
  } finally {
    await provider.close()
  }
}

await main().catch(fail)
