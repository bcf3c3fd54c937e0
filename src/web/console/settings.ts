/** A setting that set-up asks for, as the page shows it. */
export interface SettingField {
  readonly name: string
  /** The question. */
  readonly what: string
  /** The value from the next start on; empty if none is set, and for a secret. */
  readonly value: string
  readonly isSecret: boolean
  readonly isSet: boolean
  /** All possible values; none if it is free. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** The variable of the environment that wins over the settings file. */
  readonly lockedBy: string | undefined
  /** Whether one operator alone could take sats with it. */
  readonly needsTwo: boolean
}

export interface SettingsGroup {
  readonly name: 'discord' | 'payments' | 'address' | 'operators'
  readonly fields: readonly SettingField[]
}

/** A setting that is only shown. */
export interface ShownSetting {
  readonly name: string
  /** Undefined if it is not to be seen. */
  readonly value: string | undefined
  /** `environment`: it can be changed there alone. Undefined: nothing is set. */
  readonly from: 'environment' | 'file' | undefined
}

/** Why a setting is changed by nobody: the books belong to it, secrets can be read with it alone, or it says who holds the sats. */
export type FixedReason = 'books' | 'key' | 'holder'

export interface SettingsShown {
  /** The settings file. */
  readonly file: string
  /** Tells whether the file is still the same. */
  readonly version: string
  readonly groups: readonly SettingsGroup[]
  readonly fixed: readonly (ShownSetting & { readonly why: FixedReason })[]
  /** All other settings. */
  readonly others: readonly ShownSetting[]
  /** A change that waits for a second operator, or for the end of a delay. */
  readonly proposal: SettingsProposal | undefined
  /** The names of those whose value this process did not start with. */
  readonly waiting: readonly string[]
}

export interface SettingsProposal {
  readonly id: string
  /** An operator. */
  readonly by: string
  readonly at: Date
  /** In words, without secrets. */
  readonly changes: readonly string[]
  /** When it may be written; undefined: as soon as a second operator agrees. */
  readonly from: Date | undefined
  readonly until: Date
}

export interface SettingsChange {
  /** Filled-in values, by the name of the setting. An empty secret stays unchanged; any other empty value is unset. */
  readonly values: Readonly<Record<string, string>>
  /** Of the settings that the form showed. */
  readonly version: string
}

/** The change, in words without secrets, and the result of its trial. */
export interface SettingsOutcome {
  readonly changed: readonly string[]
  readonly notes: readonly string[]
}

/**
 * The settings of this installation. Changes are tried first, as in set-up. Each throws Problem where something is
 * wrong: then nothing is written.
 */
export interface SettingsAdministration {
  read(): SettingsShown
  /** Writes what one operator may change alone into the settings file, for the next start. */
  change(change: SettingsChange): Promise<SettingsOutcome>
  /** Stores a change that waits for a second operator; a lone one writes it a day later. */
  propose(change: SettingsChange & { readonly operator: string }): Promise<SettingsOutcome>
  /** Writes a proposal after another trial. `by`: who has proposed it. */
  agree(agreed: {
    readonly proposal: string
    readonly operator: string
  }): Promise<SettingsOutcome & { readonly by: string }>
  /** Any operator may. */
  cancel(proposal: string): { readonly by: string }
}
