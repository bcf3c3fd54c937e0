import { type Line, parseJson, refusalOf } from './call.ts'
import { neverConnected, PaymentsError, reasonOf } from './outcomes.ts'

/** One event of a stream. */
export interface StreamEvent<Data> {
  /** Store it, and pass it as `after` to continue with the next event. */
  readonly id: string
  readonly type: string
  readonly data: Data
}

export interface StreamOptions {
  /** The id of the last event that you have. Default: the stream begins with the next event that happens. */
  readonly after?: string | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
}

type Open = (headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined) => Promise<Response>
type Parts = Pick<Line, 'provingCodes' | 'now' | 'pause'> & { readonly operation: string }

const PAUSE_MS = 2_000
const MAX_PAUSE_MS = 60_000

/**
 * Reads events until the caller stops. A stream that breaks is opened again after its last event, so no event is missed
 * or repeated. If there has been no event yet, it begins with the next event that happens. Throws PaymentsError for a
 * refusal that is final, such as that of a revoked key, or of an id from too long ago.
 */
export async function* followStream<Data>(
  parts: Parts,
  { after, signal }: StreamOptions,
  open: Open,
): AsyncGenerator<StreamEvent<Data>, void, undefined> {
  let last = after
  for (let failures = 0; !isAborted(signal); ) {
    let wait = Math.min(PAUSE_MS * 2 ** Math.min(failures, 5), MAX_PAUSE_MS)
    try {
      const response = await open(last === undefined ? {} : { 'last-event-id': last }, signal)
      if (response.status !== 200 || response.body === null) throw await refused(parts, response)
      for await (const event of eventsIn<Data>(response.body)) {
        failures = 0
        last = event.id === '' ? last : event.id
        yield event
      }
      wait = PAUSE_MS
    } catch (error) {
      if (isAborted(signal)) return
      const known = error instanceof PaymentsError ? error : lost(parts, error)
      if (comesAgain(known)) throw known
      wait = Math.max(wait, known.retryAfterMs ?? 0)
      failures += 1
    }
    await parts.pause(wait)
  }
}

/**
 * Whether a refusal is final: rate limits and outages pass, but a refusal of the request itself does not. Neither does a
 * redirect, because the client sends its key to no other address.
 */
function comesAgain({ status = 500 }: PaymentsError): boolean {
  return status >= 300 && status < 500 && status !== 408 && status !== 429
}

/** Whether the caller has stopped the stream. Checked each time, because it can change while the stream waits. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function refused(parts: Parts, response: Response): Promise<PaymentsError> {
  const headers = Object.fromEntries(response.headers)
  return refusalOf(parts, parts.operation, { status: response.status, headers }, parseJson(await response.text()))
}

function lost({ operation }: Parts, error: unknown): PaymentsError {
  const { cause = error } = error as { cause?: unknown }
  const kind = neverConnected(cause) ? 'unreachable' : 'unknown'
  return new PaymentsError({ kind, operation, message: reasonOf(cause), cause })
}

/** Yields the events in a body, as the HTML standard defines them. Comments only keep the connection alive. */
async function* eventsIn<Data>(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent<Data>> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (text + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readEvent<Data>(block)
      if (event !== undefined) yield event
    }
  }
}

function readEvent<Data>(block: string): StreamEvent<Data> | undefined {
  let [id, type] = ['', 'message']
  const data: string[] = []
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(\w+):? ?(.*)$/s.exec(line) ?? []
    if (name === 'id') id = value
    if (name === 'event') type = value
    if (name === 'data') data.push(value)
  }
  return data.length === 0 ? undefined : { id, type, data: JSON.parse(data.join('\n')) as Data }
}
