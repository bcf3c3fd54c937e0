import pg from 'pg'
import { asked } from './pending.ts'

type Call = (...args: unknown[]) => unknown

/** Makes a method of pg's connections record each query and its answer, which comes by promise or by callback. */
function watch(name: 'query' | 'connect'): void {
  const prototype = pg.Client.prototype as unknown as Record<string, Call>
  const original = prototype[name] as Call & { watched?: true }
  if (original.watched) return
  const watched: Call & { watched?: true } = function (this: unknown, ...args) {
    const answered = asked()
    const last = args.at(-1)
    if (typeof last === 'function') {
      const callback = (...answer: unknown[]) => {
        answered()
        return last(...answer)
      }
      return Reflect.apply(original, this, [...args.slice(0, -1), callback])
    }
    const result = Reflect.apply(original, this, args)
    if (result instanceof Promise) result.then(answered, answered)
    else answered()
    return result
  }
  watched.watched = true
  prototype[name] = watched
}

watch('query')
watch('connect')
