/** A setting that set-up asks for, as the page shows it. */
export interface SettingField {
  readonly name: string
  /** The question. */
  readonly what: string
  /** What holds from the next start on; empty where nothing is set, and of a secret. */
  readonly value: string
  readonly isSecret: boolean
  readonly isSet: boolean
  /** All values that make sense; none where there are others. */
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
  /** Undefined where it is not to be seen. */
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
  /** What else is set. */
  readonly others: readonly ShownSetting[]
  /** The names of those whose value this process did not start with. */
  readonly waiting: readonly string[]
}

export interface SettingsChange {
  /** What was filled in, by the name of the setting. An empty secret stays as it is; anything else that is empty is unset. */
  readonly values: Readonly<Record<string, string>>
  /** Of the settings that the form showed. */
  readonly version: string
}

/** The settings of this installation. */
export interface SettingsAdministration {
  /** Throws Problem where the file cannot be read. */
  read(): SettingsShown
  /**
   * Tries what was filled in, and writes it into the settings file, for the next start. Resolves to what was changed, without secrets, and to what
   * the trial has shown. Throws Problem where something is wrong: then nothing is written.
   */
  change(change: SettingsChange): Promise<{ readonly changed: readonly string[]; readonly notes: readonly string[] }>
}
