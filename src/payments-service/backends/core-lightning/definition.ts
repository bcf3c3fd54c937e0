import { defineBackend } from '../definition.ts'
import { CREATE_RUNE } from './clnrest.ts'

export const coreLightning = defineBackend({
  kind: 'core-lightning',
  title: 'Core Lightning',
  advice: `Make a rune that may do what Satchel needs, and nothing else, and put it into a file:\n\n   ${CREATE_RUNE}\n`,
  variables: {
    url: {
      form: 'url',
      name: 'CORE_LIGHTNING_REST_URL',
      example: 'https://127.0.0.1:3010',
      question: { what: 'The address of clnrest', usual: 'https://127.0.0.1:3010' },
    },
    rune: {
      form: 'secret',
      name: 'CORE_LIGHTNING_RUNE',
      example: '/run/secrets/rune',
      question: { what: 'The file with the rune', usual: './satchel.rune' },
    },
    certificate: {
      form: 'certificate',
      name: 'CORE_LIGHTNING_CA_FILE',
      example: './ca.pem',
      question: { what: 'Its ca.pem', usual: '~/.lightning/bitcoin/ca.pem' },
    },
  },
  create: async (settings, parts) => (await import('./core-lightning.ts')).createCoreLightning(settings, parts),
})
