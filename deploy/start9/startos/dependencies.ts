import { store } from './fileModels/store.json'
import { sdk } from './sdk'

export const setDependencies = sdk.setupDependencies(async ({ effects }) => {
  const node = await store.read((stored) => stored.node).const(effects)
  if (node === 'lnd') return { lnd: { kind: 'running', versionRange: '>=0.20.1-beta:2', healthChecks: ['lnd'] } }
  if (node === 'phoenixd')
    return { phoenixd: { kind: 'running', versionRange: '>=0.7.3:3', healthChecks: ['primary'] } }
  return {}
})
