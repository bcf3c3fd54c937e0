import {
  BACKENDS,
  type BackendName,
  type DefinitionOf,
  definitionOf,
  type Variable,
} from '../payments-service/engine/node/backend-list.ts'
import type { Reader } from './reader.ts'
import type { Secret } from './secret.ts'

/** A node's settings under the names in its definition. Secrets have the type Secret, so they are never printed. */
type ConfigOf<Named> = {
  readonly [Key in keyof Named]: Named[Key] extends { form: 'secret' }
    ? Secret
    : Named[Key] extends { form: 'certificate' }
      ? string | undefined
      : Named[Key] extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string
}

/** The kind of a Lightning node outside this process, and the settings of the connection to it. */
export type NodeConfig = {
  [Name in BackendName]: { readonly kind: Name } & ConfigOf<DefinitionOf<Name>['variables']>
}[BackendName]

/** The Lightning node that the payments service uses: the sandbox in this process, or a node outside it. */
export type LightningConfig = { readonly kind: 'sandbox' } | NodeConfig

const OUTSIDE = BACKENDS.map(({ kind }) => kind)
const KINDS = [...OUTSIDE.filter((kind) => kind !== 'remote-sandbox'), 'sandbox', 'remote-sandbox'] as const

/** Whether the backend is a sandbox, which creates its sats out of nothing. */
export function isSandbox({ kind }: LightningConfig): boolean {
  return kind === 'sandbox' || kind === 'remote-sandbox'
}

/** Reads LIGHTNING_BACKEND and the settings of the named node; settings of other nodes are ignored. */
export function readLightning(read: Reader): LightningConfig {
  const kind = read.choice('LIGHTNING_BACKEND', KINDS, 'sandbox')
  if (kind === 'sandbox') return { kind }
  const { variables } = definitionOf(kind)
  const settings = Object.entries(variables).map(([key, variable]) => ({
    key,
    variable,
    value: readOne(read, variable),
  }))
  const [url, certificate] = (['url', 'certificate'] as const).map((form) =>
    settings.find(({ variable }) => variable.form === form),
  )
  if (certificate?.value !== undefined && url !== undefined) refuseHttp(read, url.variable.name, String(url.value))
  // Each value has its variable's form.
  return { kind, ...Object.fromEntries(settings.map(({ key, value }) => [key, value])) } as NodeConfig
}

function readOne(read: Reader, variable: Variable): string | Secret | undefined {
  switch (variable.form) {
    case 'url':
      return requiredUrl(read, variable.name, variable.example)
    case 'secret':
      return requiredSecret(read, variable)
    case 'certificate':
      return readCertificate(read, variable.name, variable.example)
    case 'choice': {
      const [usual = ''] = variable.choices
      return read.choice(variable.name, variable.choices, usual)
    }
  }
}

function requiredUrl(read: Reader, name: string, example: string): string {
  const url = read.url(name, example)
  if (url === undefined && read.text(name) === undefined)
    read.wrong(name, 'is missing: LIGHTNING_BACKEND needs it', example)
  refuseOpenLine(read, name, url ?? example)
  return url ?? example
}

/**
 * Records a problem if a connection to another machine is not encrypted: each request contains a secret that permits
 * spending, and with plain http everybody along the way can read it.
 */
function refuseOpenLine(read: Reader, name: string, url: string): void {
  const allowed = read.flag('LIGHTNING_PLAIN_HTTP', false)
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || LOOPBACK.test(hostname) || allowed) return
  read.wrong(
    name,
    'sends the secret that opens the node in the clear to another machine. Use https (a proxy with TLS can stand before the node). Or set LIGHTNING_PLAIN_HTTP=true, if nobody else can listen on the way, as inside one network of containers',
    url.replace('http:', 'https:'),
  )
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function requiredSecret(read: Reader, { name, example, hex }: Extract<Variable, { form: 'secret' }>): Secret {
  const secret = read.requiredSecret(name, example, hex === undefined ? 'text' : 'hex')
  const digits = secret.reveal()
  if (hex !== undefined && digits !== '' && !/^([0-9a-f]{2})+$/i.test(digits)) {
    read.wrong(name, `must be ${hex.what} in hexadecimal digits`, hex.example)
  }
  return secret
}

/**
 * Records a problem if a certificate is pinned but the address has plain http, because the certificate would not be
 * checked.
 */
function refuseHttp(read: Reader, name: string, url: string): void {
  if (!url.startsWith('http:')) return
  read.wrong(name, 'must begin with https, because its certificate is named', url.replace('http:', 'https:'))
}

function readCertificate(read: Reader, name: string, example: string): string | undefined {
  const pem = read.file(name, example)?.toString('utf8')
  if (pem !== undefined && !pem.includes('-----BEGIN CERTIFICATE-----')) {
    read.wrong(name, 'must name a certificate in PEM format', example)
  }
  return pem
}
