import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Logger } from '../../lib/logger.ts'
import type { LightningBackend } from './backend.ts'

/** Setup's question for a variable, and the meaning of an empty answer. */
export interface Question {
  readonly what: string
  readonly usual: string
  /** Taken instead where it is a file that exists, and `usual` is none. */
  readonly orElse?: string
}

/** A variable of the environment that says how a node is reached. `example` is a right value, for error messages. */
export type Variable =
  /** An http or https address; `example` is shown in the problem if it is missing. */
  | { readonly form: 'url'; readonly name: string; readonly example: string; readonly question: Question }
  /**
   * A secret that opens the node: in the variable itself, or in a file that the name with `_FILE` at its end names.
   * `example` is such a file.
   */
  | {
      readonly form: 'secret'
      readonly name: string
      readonly example: string
      /** Its file is binary, and the variable itself is the same in hexadecimal digits. */
      readonly hex?: { readonly what: string; readonly example: string }
      readonly question: Question
    }
  /** The file of the one certificate that is trusted (PEM); unset, those of the system are. */
  | { readonly form: 'certificate'; readonly name: string; readonly example: string; readonly question: Question }
  /** One of these words; unset, the first. Setup does not ask. */
  | { readonly form: 'choice'; readonly name: string; readonly choices: readonly string[] }

export type Variables = Readonly<Record<string, Variable>>

/** The settings that a backend is made of. It has secrets in the clear: never log it. */
export type SettingsOf<Named extends Variables> = {
  readonly [Key in keyof Named]: Named[Key] extends { form: 'certificate' }
    ? string | undefined
    : Named[Key] extends { choices: readonly (infer Choice)[] }
      ? Choice
      : string
}

export interface BackendParts {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

export interface CreatedBackend extends LightningBackend {
  /** Names addresses of the service, where the network around the node reaches LNURL nowhere else: of a sandbox. */
  serveAt?(...urls: readonly string[]): void
}

/** A kind of Lightning node: its folder exports one, and the list in `engine/node/backend-list.ts` names it. */
export interface BackendDefinition<Kind extends string = string, Named extends Variables = Variables> {
  /** As LIGHTNING_BACKEND names it. */
  readonly kind: Kind
  /** Its name, for people. */
  readonly title: string
  /** By the name of the setting; in the order of setup's questions. */
  readonly variables: Named
  /** Setup's advice before its questions: how to get the answers. */
  readonly advice: string
  /**
   * Makes the backend, and loads its code. A node that is away is no reason to throw: the backend works once it is there.
   * Throws Problem for settings that can never work.
   */
  create(settings: SettingsOf<Named>, parts: BackendParts): Promise<CreatedBackend>
}

export function defineBackend<const Kind extends string, const Named extends Variables>(
  definition: BackendDefinition<Kind, Named>,
): BackendDefinition<Kind, Named> {
  return definition
}
