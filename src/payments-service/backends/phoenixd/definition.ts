import { defineBackend } from '../definition.ts'

export const phoenixd = defineBackend({
  kind: 'phoenixd',
  title: 'phoenixd',
  advice: `Put its full password into a file:\n\n   sed -n 's/^http-password=//p' ~/.phoenix/phoenix.conf > phoenixd-password\n`,
  variables: {
    url: {
      form: 'url',
      name: 'PHOENIXD_URL',
      example: 'http://127.0.0.1:9740',
      question: { what: 'The address of phoenixd', usual: 'http://127.0.0.1:9740' },
    },
    password: {
      form: 'secret',
      name: 'PHOENIXD_PASSWORD',
      example: '/run/secrets/phoenixd',
      question: { what: 'The file with the password', usual: './phoenixd-password' },
    },
  },
  create: async (settings, parts) => (await import('./phoenixd.ts')).createPhoenixd(settings, parts),
})
