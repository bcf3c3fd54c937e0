import type { Network } from './bolt11.ts'

/** Bitcoin's networks by the names that nodes use for them. */
const NETWORKS: Readonly<Record<string, Network>> = {
  bitcoin: 'bitcoin',
  mainnet: 'bitcoin',
  testnet: 'testnet',
  testnet3: 'testnet',
  testnet4: 'testnet',
  signet: 'signet',
  regtest: 'regtest',
  simnet: 'simnet',
}

/** Returns the network for which nodes use this name; undefined for an unknown name. */
export function networkNamed(name: string | undefined): Network | undefined {
  return name === undefined ? undefined : NETWORKS[name]
}
