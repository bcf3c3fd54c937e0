import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { Logger } from '../../lib/logger.ts'
import type { LightningBackend } from './backend.ts'

/** Setup's question about a variable, and the meaning of an empty answer. */
export interface Question {
  readonly what: string
  readonly usual: string
  /** A path that is the default if a file exists there and none exists at `usual`. */
  readonly orElse?: string
}

/** An environment variable with a setting for reaching a node. `example` is a valid value, for error messages. */
export type Variable =
  /** An http or https address. The message about a missing variable shows `example`. */
  | { readonly form: 'url'; readonly name: string; readonly example: string; readonly question: Question }
  /**
   * A secret that gives access to the node: in the variable itself, or in a file whose path is in the variable with the
   * suffix `_FILE`. `example` is the path of such a file.
   */
  | {
      readonly form: 'secret'
      readonly name: string
      readonly example: string
      /** Present if the secret's file is binary, while the variable itself contains the same bytes in hexadecimal. */
      readonly hex?: { readonly what: string; readonly example: string }
      readonly question: Question
    }
  /**
   * A file with the only trusted certificate (PEM). If the variable is unset, the system's certificates are trusted.
   */
  | { readonly form: 'certificate'; readonly name: string; readonly example: string; readonly question: Question }
  /** One of these words; the first if the variable is unset. Setup does not ask for this variable. */
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
  /** Passes the service's addresses to a sandbox, whose network can reach LNURL services only at these addresses. */
  serveAt?(...urls: readonly string[]): void
}

/**
 * The definition of a kind of Lightning node. Each kind's folder exports one definition, which the list in
 * `engine/node/backend-list.ts` contains.
 */
export interface BackendDefinition<Kind extends string = string, Named extends Variables = Variables> {
  /** The value of LIGHTNING_BACKEND. */
  readonly kind: Kind
  /** The kind's name, for people. */
  readonly title: string
  /** The variables by the names of their settings, in the order of setup's questions. */
  readonly variables: Named
  /** Setup's advice on how to find the answers, shown before its questions. */
  readonly advice: string
  /**
   * Loads the backend's code, and creates the backend. Does not throw if the node is unreachable, because the backend
   * works as soon as the node answers. Throws Problem for settings that can never work.
   */
  create(settings: SettingsOf<Named>, parts: BackendParts): Promise<CreatedBackend>
}

export function defineBackend<const Kind extends string, const Named extends Variables>(
  definition: BackendDefinition<Kind, Named>,
): BackendDefinition<Kind, Named> {
  return definition
}
