import { CREATE_RUNE } from '../../payments-service/backends/core-lightning/clnrest.ts'
import { BAKE_MACAROON } from '../../payments-service/backends/lnd/lnd-health.ts'

/** The nodes outside of the service that setup asks for, as LIGHTNING_BACKEND names them. */
export type NodeKind = 'lnd' | 'core-lightning' | 'phoenixd' | 'nwc' | 'remote-sandbox'

export interface Setting {
  readonly name: string
  readonly what: string
  /** Taken for an empty answer. */
  readonly usual: string
  /** Taken instead where it is a file that exists, and `usual` is none. */
  readonly orElse?: string
}

interface NodeSettings {
  /** What to do before the questions. */
  readonly first: string
  readonly settings: readonly Setting[]
}

export const NODE_SETTINGS: Readonly<Record<NodeKind, NodeSettings>> = {
  lnd: {
    first: `Make a macaroon that may do what Satchel needs, and nothing else:\n\n   ${BAKE_MACAROON}\n`,
    settings: [
      { name: 'LND_REST_URL', what: 'The address of its REST interface', usual: 'https://127.0.0.1:8080' },
      { name: 'LND_MACAROON_FILE', what: 'The file of the macaroon', usual: './satchel.macaroon' },
      { name: 'LND_TLS_CERT_FILE', what: 'Its certificate', usual: './tls.cert', orElse: '~/.lnd/tls.cert' },
    ],
  },
  'core-lightning': {
    first: `Make a rune that may do what Satchel needs, and nothing else, and put it into a file:\n\n   ${CREATE_RUNE}\n`,
    settings: [
      { name: 'CORE_LIGHTNING_REST_URL', what: 'The address of clnrest', usual: 'https://127.0.0.1:3010' },
      { name: 'CORE_LIGHTNING_RUNE_FILE', what: 'The file with the rune', usual: './satchel.rune' },
      { name: 'CORE_LIGHTNING_CA_FILE', what: 'Its ca.pem', usual: '~/.lightning/bitcoin/ca.pem' },
    ],
  },
  phoenixd: {
    first: `Put its full password into a file:\n\n   sed -n 's/^http-password=//p' ~/.phoenix/phoenix.conf > phoenixd-password\n`,
    settings: [
      { name: 'PHOENIXD_URL', what: 'The address of phoenixd', usual: 'http://127.0.0.1:9740' },
      { name: 'PHOENIXD_PASSWORD_FILE', what: 'The file with the password', usual: './phoenixd-password' },
    ],
  },
  nwc: {
    first:
      'Make a connection in the wallet that may receive, send, read its balance and list transactions. Put its text, which begins with nostr+walletconnect://, into a file.',
    settings: [{ name: 'NWC_URI_FILE', what: 'The file with the connection', usual: './nwc-connection' }],
  },
  'remote-sandbox': {
    first:
      'Start the sandbox with "npm run sandbox". It shows its address and the file with its token. Its sats are test sats.',
    settings: [
      { name: 'SANDBOX_URL', what: 'Its address', usual: 'http://127.0.0.1:8789' },
      { name: 'SANDBOX_TOKEN_FILE', what: 'The file with its token', usual: './sandbox-data/sandbox-token' },
    ],
  },
}
