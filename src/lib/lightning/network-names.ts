import type { Network } from './bolt11.ts'

/** Nodes' names for Bitcoin's networks. */
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

/** Returns the network with a node's name for it; undefined for an unknown name. */
export function networkNamed(name: string | undefined): Network | undefined {
  return name === undefined ? undefined : NETWORKS[name]
}
