import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Logger } from '../../lib/logger.ts'
import type { LightningBackend } from './backend.ts'

/** Setup's question about a variable, and the meaning of an empty answer. */
export interface Question {
  readonly what: string
  readonly usual: string
  /** The default if this file exists and `usual` does not. */
  readonly orElse?: string
}

/** An environment variable about how to reach a node. `example` is a valid value, for error messages. */
export type Variable =
  /** An http or https address. The message about a missing variable shows `example`. */
  | { readonly form: 'url'; readonly name: string; readonly example: string; readonly question: Question }
  /**
   * A secret that opens the node: in the variable itself, or in a file that the variable with the suffix `_FILE` names.
   * `example` is such a file.
   */
  | {
      readonly form: 'secret'
      readonly name: string
      readonly example: string
      /** Its file is binary, while the variable itself contains the same bytes in hexadecimal. */
      readonly hex?: { readonly what: string; readonly example: string }
      readonly question: Question
    }
  /** A file with the only trusted certificate (PEM). Unset: the system's certificates. */
  | { readonly form: 'certificate'; readonly name: string; readonly example: string; readonly question: Question }
  /** One of these words. Unset: the first. Setup does not ask. */
  | { readonly form: 'choice'; readonly name: string; readonly choices: readonly string[] }

export type Variables = Readonly<Record<string, Variable>>

/** The settings from which a backend is created. They contain secrets in the clear, so never log them. */
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
  /** Passes the service's addresses to a sandbox, whose network can reach LNURL only there. */
  serveAt?(...urls: readonly string[]): void
}

/**
 * A kind of Lightning node. Its folder exports one definition, and the list in `engine/node/backend-list.ts` contains
 * it.
 */
export interface BackendDefinition<Kind extends string = string, Named extends Variables = Variables> {
  /** The value of LIGHTNING_BACKEND. */
  readonly kind: Kind
  /** Its name, for people. */
  readonly title: string
  /** By the setting's name, in the order of setup's questions. */
  readonly variables: Named
  /** Setup's advice before its questions on how to find the answers. */
  readonly advice: string
  /**
   * Creates the backend, and loads its code. Does not throw if the node is unreachable, because the backend works as
   * soon as the node answers. Throws Problem for settings that can never work.
   */
  create(settings: SettingsOf<Named>, parts: BackendParts): Promise<CreatedBackend>
}

export function defineBackend<const Kind extends string, const Named extends Variables>(
  definition: BackendDefinition<Kind, Named>,
): BackendDefinition<Kind, Named> {
  return definition
}
