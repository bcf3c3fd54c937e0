import { defineBackend } from '../definition.ts'
import { BAKE_MACAROON } from './lnd-rights.ts'

export const lnd = defineBackend({
  kind: 'lnd',
  title: 'lnd',
  advice: `Make a macaroon that may do what Satchel needs, and nothing else:\n\n   ${BAKE_MACAROON}\n`,
  variables: {
    url: {
      form: 'url',
      name: 'LND_REST_URL',
      example: 'https://127.0.0.1:8080',
      question: { what: 'The address of its REST interface', usual: 'https://127.0.0.1:8080' },
    },
    // lnd writes macaroons as binary files.
    macaroon: {
      form: 'secret',
      name: 'LND_MACAROON',
      example: '/run/secrets/satchel.macaroon',
      hex: { what: 'a macaroon', example: '0201036c6e64…' },
      question: { what: 'The file of the macaroon', usual: './satchel.macaroon' },
    },
    certificate: {
      form: 'certificate',
      name: 'LND_TLS_CERT_FILE',
      example: './tls.cert',
      question: { what: 'Its certificate', usual: './tls.cert', orElse: '~/.lnd/tls.cert' },
    },
  },
  create: async (settings, parts) => (await import('./lnd.ts')).createLnd(settings, parts),
})
