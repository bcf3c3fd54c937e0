/**
 * One operation, typed by hand from the document of the interface. Nothing here is computed from the source. Names in
 * paths have the interface's own spelling. `*` marks a required field, `+` an additive field of ours; "or null" follows
 * the interface and, where the interface says nothing, the rule for absent values in decisions.md.
 */
export interface Written {
  readonly name: string
  readonly verb: string
  readonly path: string
  readonly host: 'base' | 'alt'
  readonly additive?: true
  readonly query?: string
  readonly headers?: string
  readonly body?: string
  readonly envelope: string
  readonly data: string
}
