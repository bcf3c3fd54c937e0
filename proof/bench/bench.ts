import { parseArgs } from 'node:util'
import { type BotOptions, benchBot } from './bot.ts'
import { describeGoals } from './describe-goals.ts'
import { benchGrowth, type GrowthOptions } from './growth.ts'
import { benchLedger } from './ledger.ts'
import { benchOverlay } from './overlay.ts'
import { benchPeers, type PeersOptions } from './peers/peers.ts'
import { benchScale, type CrowdOptions } from './scale.ts'
import { type BenchOptions, benchInvoices, benchService } from './service.ts'

/** The sections of `npm run prove -- bench SECTION [--seconds N] [--accounts N] [--keep FOLDER]`. */
const SECTIONS: Readonly<
  Record<string, (options: BenchOptions & PeersOptions & CrowdOptions & GrowthOptions & BotOptions) => Promise<unknown>>
> = {
  service: benchService,
  invoices: benchInvoices,
  bot: benchBot,
  growth: benchGrowth,
  scale: benchScale,
  overlay: benchOverlay,
  ledger: benchLedger,
  postgres: benchGoals,
  peers: benchPeers,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    accounts: { type: 'string', default: '1000000' },
    keep: { type: 'string' },
    // For `scale`.
    servers: { type: 'string', default: '10000' },
    members: { type: 'string', default: '1000000' },
    shards: { type: 'string', default: '10' },
    // For `bot`: how many members have accounts besides the members who tip.
    holders: { type: 'string', default: '0' },
    // For `growth`: how many members the books have.
    sizes: { type: 'string', default: '1000,100000' },
    // For `peers`: the other programs, which this one starts.
    rounds: { type: 'string', default: '7' },
    lnbits: { type: 'string' },
    lndhub: { type: 'string' },
    'real-lnd': { type: 'boolean', default: false },
  },
})
const bench = SECTIONS[positionals[0] ?? '']
const seconds = Number(values.seconds)
const accounts = Number(values.accounts)
const rounds = Number(values.rounds)
const [servers, members, shards] = [Number(values.servers), Number(values.members), Number(values.shards)]
const sizes = values.sizes.split(',').map(Number)
const holders = Number(values.holders)
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1
if (
  bench === undefined ||
  !(seconds > 0) ||
  ![accounts, rounds, servers, members, shards, ...sizes, holders + 1].every(isCount)
) {
  const sections = Object.keys(SECTIONS).join(', ')
  console.error(
    `npm run prove -- bench SECTION [--seconds N] [--accounts N] [--keep FOLDER] [--servers N] [--members N] [--shards N] [--sizes N,N] [--holders N] [--rounds N], where SECTION is one of: ${sections}`,
  )
  process.exit(1)
}
const others = { keep: values.keep, lndhub: values.lndhub, lnbits: values.lnbits, realLnd: values['real-lnd'] }
await bench({ seconds, accounts, rounds, sizes, holders, servers, members, shards, ...others })

/** Measures the ledger on both engines, and the service, and prints all their goals at the end. */
async function benchGoals(options: BenchOptions): Promise<void> {
  const goals = [...(await benchLedger(options)), ...(await benchService(options))]
  console.log()
  for (const line of describeGoals(goals)) console.log(line)
}
