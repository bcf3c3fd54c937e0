/** A setting that set-up asks for, as the page shows it. */
export interface SettingField {
  readonly name: string
  /** The question. */
  readonly what: string
  /** The value from the next start on; empty if no value is set, and for a secret. */
  readonly value: string
  readonly isSecret: boolean
  readonly isSet: boolean
  /** All possible values; empty if any value is allowed. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** The environment variable that overrides the settings file. */
  readonly lockedBy: string | undefined
  /** Whether one operator could take sats by changing it. */
  readonly needsTwo: boolean
}

export interface SettingsGroup {
  readonly name: 'discord' | 'payments' | 'address' | 'operators'
  readonly fields: readonly SettingField[]
}

/** A setting that is only shown. */
export interface ShownSetting {
  readonly name: string
  /** Undefined if the value must not be shown. */
  readonly value: string | undefined
  /** `environment`: the setting can be changed only there. Undefined: nothing is set. */
  readonly from: 'environment' | 'file' | undefined
}

/**
 * The reason why nobody may change a setting: the books belong to it, secrets can be read only with it, or it says who
 * holds the sats.
 */
export type FixedReason = 'books' | 'key' | 'holder'

export interface SettingsShown {
  /** The settings file. */
  readonly file: string
  /** Changes when the file changes. */
  readonly version: string
  readonly groups: readonly SettingsGroup[]
  readonly fixed: readonly (ShownSetting & { readonly why: FixedReason })[]
  /** All other settings. */
  readonly others: readonly ShownSetting[]
  /** A change that waits for a second operator, or for the end of a delay. */
  readonly proposal: SettingsProposal | undefined
  /** Names of the settings whose present value differs from the one at this process's start. */
  readonly waiting: readonly string[]
}

export interface SettingsProposal {
  readonly id: string
  /** The operator who proposed the change. */
  readonly by: string
  readonly at: Date
  /** The changes in words, without secrets. */
  readonly changes: readonly string[]
  /** The time from which the change may be written. Undefined: as soon as a second operator agrees. */
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
  /** Writes settings that one operator may change alone to the settings file, for the next start. */
  change(change: SettingsChange): Promise<SettingsOutcome>
  /** Stores a change that waits for a second operator. A lone operator may write it a day later. */
  propose(change: SettingsChange & { readonly operator: string }): Promise<SettingsOutcome>
  /** Writes a proposal after another trial. `by`: the operator who proposed it. */
  agree(agreed: {
    readonly proposal: string
    readonly operator: string
  }): Promise<SettingsOutcome & { readonly by: string }>
  /** Cancels a proposal. Any operator may do so. */
  cancel(proposal: string): { readonly by: string }
}
