import { parseArgs } from 'node:util'
import { benchBot } from './bench/bot.ts'
import { benchLedger } from './bench/ledger.ts'
import { compareWithLndhub, type LndhubOptions } from './bench/lndhub.ts'
import { type BenchOptions, benchInvoices, benchService } from './bench/service.ts'

/** The sections of `npm run bench -- SECTION [--seconds N] [--accounts N] [--keep FOLDER]`. */
const SECTIONS: Readonly<Record<string, (options: BenchOptions & LndhubOptions) => Promise<void>>> = {
  service: benchService,
  invoices: benchInvoices,
  bot: benchBot,
  ledger: benchLedger,
  lndhub: compareWithLndhub,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    accounts: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    // For `lndhub`: docs/PERFORMANCE.md.
    lndhub: { type: 'string' },
    'real-lnd': { type: 'boolean', default: false },
  },
})
const bench = SECTIONS[positionals[0] ?? '']
const seconds = Number(values.seconds)
const accounts = Number(values.accounts)
if (bench === undefined || !(seconds > 0) || !Number.isSafeInteger(accounts) || accounts < 1) {
  const sections = Object.keys(SECTIONS).join(', ')
  console.error(
    `npm run bench -- SECTION [--seconds N] [--accounts N] [--keep FOLDER], where SECTION is one of: ${sections}`,
  )
  process.exit(1)
}
await bench({ seconds, accounts, keep: values.keep, lndhub: values.lndhub, realLnd: values['real-lnd'] })
