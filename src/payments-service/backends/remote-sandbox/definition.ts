import { defineBackend } from '../definition.ts'

export const remoteSandbox = defineBackend({
  kind: 'remote-sandbox',
  title: 'A sandbox elsewhere',
  advice:
    'Start the sandbox with "npm run sandbox". It shows its address and the file with its token. Its sats are test sats.',
  variables: {
    url: {
      form: 'url',
      name: 'SANDBOX_URL',
      example: 'http://127.0.0.1:8789',
      question: { what: 'Its address', usual: 'http://127.0.0.1:8789' },
    },
    token: {
      form: 'secret',
      name: 'SANDBOX_TOKEN',
      example: './sandbox-data/sandbox-token',
      question: { what: 'The file with its token', usual: './sandbox-data/sandbox-token' },
    },
  },
  create: async (settings, parts) => (await import('./remote-sandbox.ts')).createRemoteSandbox(settings, parts),
})
