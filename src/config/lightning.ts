import type { Reader } from './reader.ts'
import type { Secret } from './secret.ts'

/** The Lightning node behind the payments service, and how it is reached. */
export type LightningConfig =
  | { readonly kind: 'sandbox' }
  /** A sandbox in a process of its own. */
  | { readonly kind: 'remote-sandbox'; readonly url: string; readonly token: Secret }
  | {
      readonly kind: 'lnd'
      readonly url: string
      /** Hex. */
      readonly macaroon: Secret
      /** PEM: the one certificate that is trusted. Undefined: those of the system. */
      readonly certificate: string | undefined
    }
  | {
      readonly kind: 'core-lightning'
      readonly url: string
      readonly rune: Secret
      readonly certificate: string | undefined
    }
  | { readonly kind: 'phoenixd'; readonly url: string; readonly password: Secret }
  | {
      readonly kind: 'nwc'
      readonly uri: Secret
      /** `nip04`: for a wallet that is so old that it says nothing of itself. */
      readonly encryption: NwcEncryption
    }

const NWC_ENCRYPTIONS = ['auto', 'nip04'] as const
type NwcEncryption = (typeof NWC_ENCRYPTIONS)[number]

const KINDS = ['lnd', 'core-lightning', 'phoenixd', 'nwc', 'sandbox', 'remote-sandbox'] as const

/** Whether its sats come out of nothing. */
export function isSandbox({ kind }: LightningConfig): boolean {
  return kind === 'sandbox' || kind === 'remote-sandbox'
}

/** Reads LIGHTNING_BACKEND and the settings of the node that it names; those of other nodes are not looked at. */
export function readLightning(read: Reader): LightningConfig {
  const kind = read.choice('LIGHTNING_BACKEND', KINDS, 'sandbox')
  switch (kind) {
    case 'sandbox':
      return { kind }
    case 'remote-sandbox':
      return {
        kind,
        url: requiredUrl(read, 'SANDBOX_URL', 'http://127.0.0.1:8789'),
        token: read.requiredSecret('SANDBOX_TOKEN', './sandbox-data/sandbox-token'),
      }
    case 'lnd':
      return {
        kind,
        macaroon: readMacaroon(read),
        ...refuseHttp(read, 'LND_REST_URL', {
          url: requiredUrl(read, 'LND_REST_URL', 'https://127.0.0.1:8080'),
          certificate: readCertificate(read, 'LND_TLS_CERT_FILE', './tls.cert'),
        }),
      }
    case 'core-lightning':
      return {
        kind,
        rune: read.requiredSecret('CORE_LIGHTNING_RUNE', '/run/secrets/rune'),
        ...refuseHttp(read, 'CORE_LIGHTNING_REST_URL', {
          url: requiredUrl(read, 'CORE_LIGHTNING_REST_URL', 'https://127.0.0.1:3010'),
          certificate: readCertificate(read, 'CORE_LIGHTNING_CA_FILE', './ca.pem'),
        }),
      }
    case 'phoenixd':
      return {
        kind,
        url: requiredUrl(read, 'PHOENIXD_URL', 'http://127.0.0.1:9740'),
        password: read.requiredSecret('PHOENIXD_PASSWORD', '/run/secrets/phoenixd'),
      }
    case 'nwc':
      return {
        kind,
        uri: read.requiredSecret('NWC_URI', '/run/secrets/nwc'),
        encryption: read.choice('NWC_ENCRYPTION', NWC_ENCRYPTIONS, 'auto'),
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

/** What is sent with each request is the right to spend, and over plain http all on the way can read it. */
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

/** lnd writes macaroons as binary files; `LND_MACAROON` is the same in hex. */
function readMacaroon(read: Reader): Secret {
  const macaroon = read.requiredSecret('LND_MACAROON', '/run/secrets/satchel.macaroon', 'hex')
  const hex = macaroon.reveal()
  if (hex !== '' && !/^([0-9a-f]{2})+$/i.test(hex)) {
    read.wrong('LND_MACAROON', 'must be a macaroon in hexadecimal digits', '0201036c6e64…')
  }
  return macaroon
}

/** Over plain http nobody would look at the certificate that is pinned. */
function refuseHttp(
  read: Reader,
  name: string,
  node: { readonly url: string; readonly certificate: string | undefined },
) {
  if (node.certificate !== undefined && node.url.startsWith('http:')) {
    read.wrong(name, 'must begin with https, because its certificate is named', node.url.replace('http:', 'https:'))
  }
  return node
}

function readCertificate(read: Reader, name: string, example: string): string | undefined {
  const pem = read.file(name, example)?.toString('utf8')
  if (pem !== undefined && !pem.includes('-----BEGIN CERTIFICATE-----')) {
    read.wrong(name, 'must name a certificate in PEM format', example)
  }
  return pem
}
