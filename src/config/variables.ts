import { BACKENDS, type Variable } from '../payments-service/engine/node/backend-list.ts'

/**
 * The names of all variables that Satchel reads; `.env.example` explains each. A secret NAME can also be set as
 * NAME_FILE, which is not listed here.
 */
export const VARIABLES: readonly string[] = [
  ...[
    'DISCORD_TOKEN',
    'DISCORD_GUILD_ID',
    'DISCORD_USER_INSTALL',
    'DISCORD_PUBLIC_KEY',
    'DISCORD_CLIENT_SECRET',
    'DISCORD_GATEWAY',
    'DISCORD_VOICE',
    'DISCORD_API_URL',
  ],
  ...['HOME_GUILD_ID', 'OPERATORS_CHANNEL_ID', 'OPERATORS', 'DOCS_URL', 'SUPPORT_URL'],
  ...['PAYMENTS_BASE_URL', 'PAYMENTS_ALT_BASE_URL', 'PAYMENTS_API_KEY'],
  ...['CALLBACK_PORT', 'CALLBACK_PUBLIC_URL', 'CALLBACK_SIGNING_SECRET'],
  ...['PUBLIC_API_SERVERS', 'PUBLIC_API_REQUESTS_PER_SECOND'],
  ...['SERVICE_PORT', 'SERVICE_PUBLIC_URL', 'LIGHTNING_BACKEND'],
  ...BACKENDS.flatMap(({ variables }) => Object.values<Variable>(variables).map(({ name }) => name)),
  ...['LIGHTNING_PLAIN_HTTP', 'SANDBOX_PORT'],
  ...['FEE_LIMIT_PERCENT', 'LIQUIDITY_ALERT_PERCENT', 'FAUCET_SATS', 'MAX_AMOUNT_SATS'],
  ...['REQUESTS_PER_SECOND', 'PUBLIC_REQUESTS_PER_SECOND', 'INVOICES_PER_MINUTE', 'TRUST_PROXY', 'METRICS_TOKEN'],
  ...['INTERNAL_TRANSFERS', 'CALLBACK_SOURCE_IPS'],
  ...['UNSUPPORTED_COUNTRIES', 'REGIONS_ENFORCED', 'REGION_DATABASE'],
  ...['GAMERTAG_RESERVED_DAYS', 'RESERVED_NAMES', 'IDENTIFIERS_PER_PROJECT', 'USERS_PER_PROJECT'],
  ...['CALLBACKS_ALLOW_LOOPBACK', 'OUTGOING_ALLOW_LOOPBACK'],
  ...['DATA_FOLDER', 'WALLET_KEY_FILE', 'CUSTODY', 'TIPPING_DATABASE_URL', 'PAYMENTS_DATABASE_URL'],
  ...[
    'PLAYGROUND_PORT',
    'LISTEN_HOST',
    'RATES_URL',
    'RATES_CURRENCY',
    'DRAND_URL',
    'INSTANCE_NAME',
    'DRAIN_SECONDS',
    'LOG_LEVEL',
    'SETTINGS_FILE',
    'SETUP_CODE',
    'CONSOLE_PASSWORD',
    'CONSOLE_READ_PASSWORD',
  ],
]

/**
 * The minimum length of a name in which two letters may be mistyped. In a shorter name, two changed letters would make
 * another word.
 */
const LONG_NAME = 10

/** Returns the variable that a misspelt name may mean; undefined if the name is a variable's or resembles none. */
export function variableLike(name: string): string | undefined {
  if (isKnown(name)) return undefined
  const folded = name.toUpperCase().replace(/[-. ]/g, '_')
  if (isKnown(folded)) return folded
  const most = folded.length < LONG_NAME ? 1 : 2
  return VARIABLES.flatMap((variable) => [variable, `${variable}_FILE`]).find(
    (variable) => Math.abs(variable.length - folded.length) <= most && editsBetween(variable, folded) <= most,
  )
}

function isKnown(name: string): boolean {
  return VARIABLES.includes(name) || (name.endsWith('_FILE') && VARIABLES.includes(name.slice(0, -'_FILE'.length)))
}

/**
 * Counts how many letters must be added, removed or changed to turn one text into the other (Levenshtein). Two swapped
 * neighbours count once.
 */
function editsBetween(one: string, other: string): number {
  let before: number[] = []
  let row = [...Array(other.length + 1).keys()]
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
