/** A setting that set-up asks for, as the page shows it. */
export interface SettingField {
  readonly name: string
  /** The question that set-up asks. */
  readonly what: string
  /** The value from the next start on; empty if no value is set, and for a secret. */
  readonly value: string
  readonly isSecret: boolean
  readonly isSet: boolean
  /** All possible values; empty if any value is allowed. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** The environment variable that overrides the settings file; undefined if there is none. */
  readonly lockedBy: string | undefined
  /** Whether one operator could take sats by changing the setting, so that two must agree to a change. */
  readonly needsTwo: boolean
}

export interface SettingsGroup {
  readonly name: 'discord' | 'payments' | 'address' | 'operators'
  readonly fields: readonly SettingField[]
}

/** A setting that is only shown. */
export interface ShownSetting {
  readonly name: string
  /** The value; undefined if it must not be shown. */
  readonly value: string | undefined
  /** Where the value is set; undefined if no value is set. A value from the environment can be changed only there. */
  readonly from: 'environment' | 'file' | undefined
}

/**
 * The reason why nobody may change a setting: the books belong to it, secrets can be read only with it, or it says who
 * holds the sats.
 */
export type FixedReason = 'books' | 'key' | 'holder'

export interface SettingsShown {
  /** The path of the settings file. */
  readonly file: string
  /** The version of the settings, which changes whenever the file changes. */
  readonly version: string
  readonly groups: readonly SettingsGroup[]
  readonly fixed: readonly (ShownSetting & { readonly why: FixedReason })[]
  /** All other settings. */
  readonly others: readonly ShownSetting[]
  /** A change that waits for a second operator, or for the end of a delay. */
  readonly proposal: SettingsProposal | undefined
  /** The names of the settings whose present value differs from the value at this process's start. */
  readonly waiting: readonly string[]
}

export interface SettingsProposal {
  readonly id: string
  /** The operator who proposed the change. */
  readonly by: string
  readonly at: Date
  /** The changes in words, without secrets. */
  readonly changes: readonly string[]
  /**
   * The time from which the change may be written. Undefined if it may be written as soon as a second operator agrees.
   */
  readonly from: Date | undefined
  readonly until: Date
}

export interface SettingsChange {
  /**
   * Filled-in values by the setting's name. An empty secret leaves the setting unchanged; any other empty value unsets
   * it.
   */
  readonly values: Readonly<Record<string, string>>
  /** The version of the settings that the form showed. */
  readonly version: string
}

/** The change, in words without secrets, and the result of its trial. */
export interface SettingsOutcome {
  readonly changed: readonly string[]
  readonly notes: readonly string[]
}

/**
 * The settings of this installation. Each change is tried first, as in set-up. Each method throws Problem if a value is
 * wrong; then nothing is written.
 */
export interface SettingsAdministration {
  read(): SettingsShown
  /**
   * Writes settings to the settings file, for the next start. Accepts only settings that one operator may change alone.
   */
  change(change: SettingsChange): Promise<SettingsOutcome>
  /** Stores a change that waits for a second operator. A lone operator may write it a day later. */
  propose(change: SettingsChange & { readonly operator: string }): Promise<SettingsOutcome>
  /** Writes a proposal after another trial. `by` is the operator who proposed it. */
  agree(agreed: {
    readonly proposal: string
    readonly operator: string
  }): Promise<SettingsOutcome & { readonly by: string }>
  /** Cancels a proposal. Any operator may do so. */
  cancel(proposal: string): { readonly by: string }
}
