import { VARIABLES } from './variables.ts'

/** A setting in the form in which people may see it. */
export interface ShownSetting {
  readonly name: string
  /** Undefined if the setting is a secret, or may contain one. */
  readonly value: string | undefined
  /**
   * Where the value comes from. A value from the environment overrides the file, and can be changed only in the
   * environment.
   */
  readonly from: 'environment' | 'file'
}

/** The settings that contain no secrets. Every other setting, including any added later, is shown without its value. */
const OPEN: ReadonlySet<string> = new Set([
  ...[
    'DISCORD_USER_INSTALL',
    'DISCORD_GATEWAY',
    'DISCORD_VOICE',
    'DISCORD_GUILD_ID',
    'HOME_GUILD_ID',
    'OPERATORS_CHANNEL_ID',
    'OPERATORS',
  ],
  ...['CALLBACK_PUBLIC_URL', 'CALLBACK_PORT', 'SERVICE_PUBLIC_URL', 'SERVICE_PORT', 'LISTEN_HOST', 'TRUST_PROXY'],
  ...['LIGHTNING_BACKEND', 'CUSTODY', 'DATA_FOLDER', 'SETTINGS_FILE', 'INSTANCE_NAME', 'DRAIN_SECONDS', 'LOG_LEVEL'],
  ...['FEE_LIMIT_PERCENT', 'LIQUIDITY_ALERT_PERCENT', 'FAUCET_SATS', 'MAX_AMOUNT_SATS', 'RATES_CURRENCY'],
  ...['PUBLIC_API_SERVERS', 'RESERVED_NAMES', 'GAMERTAG_RESERVED_DAYS', 'UNSUPPORTED_COUNTRIES', 'REGIONS_ENFORCED'],
  ...['INTERNAL_TRANSFERS', 'CALLBACK_SOURCE_IPS'],
])

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Lists all settings that are set, each with its source, in the order of `.env.example`. Secrets appear without their
 * values.
 */
export function shownSettings(environment: Variables, file: Variables): ShownSetting[] {
  return VARIABLES.flatMap((name) => [name, `${name}_FILE`]).flatMap((name) => {
    const from = environment[name] ? 'environment' : 'file'
    const value = environment[name] || file[name]
    return value ? [{ name, value: OPEN.has(name) ? value : undefined, from } as const] : []
  })
}
