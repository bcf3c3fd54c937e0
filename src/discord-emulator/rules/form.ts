import { type FormFault, invalidForm } from './refusal.ts'

export type JsonObject = Record<string, unknown>
export type Path = readonly (string | number)[]

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Counts a text's characters as Discord does: by code points, so that an emoji of one code point counts once. */
export function lengthOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

interface Presence {
  readonly required?: boolean
}

/**
 * Reads a request's body field by field and collects every fault with its path, in Discord's own words. `refuse` throws
 * all faults as one 50035 "Invalid Form Body". A field with `null` counts as left out.
 */
export class Form {
  readonly #faults: FormFault[] = []

  /** Records a fault. */
  fault(path: Path, code: string, message: string): void {
    this.#faults.push({ path, code, message })
  }

  get faulty(): boolean {
    return this.#faults.length > 0
  }

  /** Throws 50035 with all faults found so far, if there are any. */
  refuse(): void {
    if (this.faulty) throw invalidForm(this.#faults)
  }

  text(source: JsonObject, key: string, at: Path, rule: Presence & { min?: number; max: number }): string | undefined {
    const value = this.#present(source, key, at, rule)
    if (value === undefined) return undefined
    const path = [...at, key]
    if (typeof value !== 'string') {
      this.fault(path, 'STRING_TYPE_CONVERT', `Could not interpret "${String(value)}" as string.`)
      return undefined
    }
    const length = lengthOf(value)
    const min = rule.min ?? 0
    if (rule.required === true && length === 0) this.fault(path, 'BASE_TYPE_REQUIRED', 'This field is required')
    else if (min > 0 && (length < min || length > rule.max))
      this.fault(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${rule.max} in length.`)
    else if (length > rule.max) this.fault(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${rule.max} or fewer in length.`)
    return value
  }

  integer(
    source: JsonObject,
    key: string,
    at: Path,
    rule: Presence & { min?: number; max?: number } = {},
  ): number | undefined {
    const value = this.number(source, key, at, rule)
    if (value === undefined || Number.isInteger(value)) return value
    this.fault([...at, key], 'NUMBER_TYPE_COERCE', `Value "${value}" is not int.`)
    return undefined
  }

  number(
    source: JsonObject,
    key: string,
    at: Path,
    rule: Presence & { min?: number; max?: number } = {},
  ): number | undefined {
    const value = this.#present(source, key, at, rule)
    if (value === undefined) return undefined
    const path = [...at, key]
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      this.fault(path, 'NUMBER_TYPE_COERCE', `Value "${String(value)}" is not int.`)
      return undefined
    }
    if (rule.min !== undefined && value < rule.min)
      this.fault(path, 'NUMBER_TYPE_MIN', `int value should be greater than or equal to ${rule.min}.`)
    if (rule.max !== undefined && value > rule.max)
      this.fault(path, 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${rule.max}.`)
    return value
  }

  choice<T extends number | string>(
    source: JsonObject,
    key: string,
    at: Path,
    choices: readonly T[],
    rule: Presence = {},
  ): T | undefined {
    const value = this.#present(source, key, at, rule)
    if (value === undefined) return undefined
    if (choices.includes(value as T)) return value as T
    this.fault([...at, key], 'BASE_TYPE_CHOICES', `Value must be one of {${choices.join(', ')}}.`)
    return undefined
  }

  boolean(source: JsonObject, key: string, at: Path): boolean | undefined {
    const value = this.#present(source, key, at, {})
    if (value === undefined || typeof value === 'boolean') return value
    this.fault([...at, key], 'BOOLEAN_TYPE_CONVERT', 'Must be either true or false.')
    return undefined
  }

  object(source: JsonObject, key: string, at: Path, rule: Presence = {}): JsonObject | undefined {
    const value = this.#present(source, key, at, rule)
    if (value === undefined || isObject(value)) return value
    this.fault([...at, key], 'DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType')
    return undefined
  }

  /**
   * Reads a list of objects. Records a fault for each item of another type, and leaves the item out. `max` and `min`
   * limit the number of items.
   */
  objects(
    source: JsonObject,
    key: string,
    at: Path,
    rule: Presence & { min?: number; max: number },
  ): readonly (readonly [JsonObject, Path])[] | undefined {
    const value = this.#present(source, key, at, rule)
    if (value === undefined) return undefined
    const path = [...at, key]
    if (!Array.isArray(value)) {
      this.fault(path, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType')
      return undefined
    }
    const min = rule.min ?? 0
    if (min > 0 && (value.length < min || value.length > rule.max))
      this.fault(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${rule.max} in length.`)
    else if (value.length > rule.max)
      this.fault(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${rule.max} or fewer in length.`)
    const items: (readonly [JsonObject, Path])[] = []
    for (const [index, item] of value.entries()) {
      if (isObject(item)) items.push([item, [...path, index]])
      else this.fault([...path, index], 'DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType')
    }
    return items
  }

  /** Reads a URL with one of these schemes, such as `http`, `https` or `attachment`. */
  url(source: JsonObject, key: string, at: Path, schemes: readonly string[], rule: Presence = {}): string | undefined {
    const value = this.text(source, key, at, { max: 2048, ...rule })
    if (value === undefined || value === '') return undefined
    const path = [...at, key]
    if (!URL.canParse(value)) {
      this.fault(path, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.')
      return undefined
    }
    const scheme = new URL(value).protocol.slice(0, -1)
    if (!schemes.includes(scheme)) {
      const list = schemes.map((name) => `'${name}'`).join(', ')
      this.fault(
        path,
        'URL_TYPE_INVALID_SCHEME',
        `Scheme "${scheme}" is not supported. Scheme must be one of (${list}).`,
      )
      return undefined
    }
    return value
  }

  #present(source: JsonObject, key: string, at: Path, rule: Presence): unknown {
    const value = source[key]
    if (value !== undefined && value !== null) return value
    if (rule.required === true) this.fault([...at, key], 'BASE_TYPE_REQUIRED', 'This field is required')
    return undefined
  }
}
