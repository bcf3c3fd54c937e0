import type { Network } from './bolt11.ts'

/** Nodes' names for the networks of Bitcoin. */
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

/** The network that a node means by a name; undefined for one that Satchel does not know. */
export function networkNamed(name: string | undefined): Network | undefined {
  return name === undefined ? undefined : NETWORKS[name]
}
