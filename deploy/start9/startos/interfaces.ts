import { SERVICE_PORT, WEB_PORT } from './ports'
import { sdk } from './sdk'

export const setInterfaces = sdk.setupInterfaces(async ({ effects }) => {
  const web = await sdk.MultiHost.of(effects, 'web').bindPort(WEB_PORT, { protocol: 'http' })
  const service = await sdk.MultiHost.of(effects, 'service').bindPort(SERVICE_PORT, { protocol: 'http' })
  const common = { schemeOverride: null, masked: false, username: null, path: '', query: {} }
  return [
    await web.export([
      sdk.createInterface(effects, {
        ...common,
        id: 'web',
        name: 'Web page',
        description: 'Set-up, and once that is done the console.',
        type: 'ui',
        path: '/setup',
      }),
    ]),
    await service.export([
      sdk.createInterface(effects, {
        ...common,
        id: 'service',
        name: 'Wallets',
        description: 'What Lightning wallets ask: give it a public address, and name that address in set-up.',
        type: 'api',
      }),
    ]),
  ]
})
