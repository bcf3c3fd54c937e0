import { coreLightning } from '../../backends/core-lightning/definition.ts'
import type { BackendDefinition, BackendParts, CreatedBackend, SettingsOf } from '../../backends/definition.ts'
import { lnd } from '../../backends/lnd/definition.ts'
import { nwc } from '../../backends/nwc/definition.ts'
import { phoenixd } from '../../backends/phoenixd/definition.ts'
import { remoteSandbox } from '../../backends/remote-sandbox/definition.ts'

export type { BackendDefinition, Question, Variable } from '../../backends/definition.ts'

/**
 * The Lightning nodes outside this process. The configuration, setup, the tests of the docs and `createBackend` all use
 * this list. To add a node, add a folder, a line here, and a page in `docs/lightning-nodes`.
 */
export const BACKENDS = [lnd, coreLightning, phoenixd, nwc, remoteSandbox] as const

/** The kinds of node, as a book stores them. A sandbox is the same kind wherever it runs. */
export const BACKEND_KINDS: readonly string[] = [
  ...BACKENDS.map(({ kind }) => kind).filter((kind) => kind !== remoteSandbox.kind),
  'sandbox',
]

export type BackendName = (typeof BACKENDS)[number]['kind']
export type DefinitionOf<Name extends BackendName> = Extract<(typeof BACKENDS)[number], { kind: Name }>

/** The settings for reaching a node. They contain secrets in the clear, so never log them. */
export type NodeSettings = {
  [Name in BackendName]: { readonly kind: Name } & SettingsOf<DefinitionOf<Name>['variables']>
}[BackendName]

export function definitionOf(kind: BackendName): BackendDefinition {
  // Each one takes the settings that its own variables describe.
  return BACKENDS.find((one) => one.kind === kind) as unknown as BackendDefinition
}

/** Creates a node's backend. Throws Problem for settings that can never work. */
export async function createBackend({ kind, ...settings }: NodeSettings, parts: BackendParts): Promise<CreatedBackend> {
  return await definitionOf(kind).create(settings as SettingsOf<BackendDefinition['variables']>, parts)
}
