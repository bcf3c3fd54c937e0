import { PNG } from 'pngjs'

/** Returns a script that makes the browser's camera show a picture, even on pages that may not load one. */
export function cameraThatSees(png: Buffer): string {
  const { width, height, data } = PNG.sync.read(png)
  const dots = Array.from({ length: width * height }, (_, at) => ((data[at * 4] ?? 0) < 128 ? 1 : 0)).join('')
  return `navigator.mediaDevices.getUserMedia = async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: ${width + 80}, height: ${height + 80} })
  const pen = canvas.getContext('2d')
  const paint = () => {
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.fillStyle = '#000'
    for (const { index } of '${dots}'.matchAll(/1/g)) {
      pen.fillRect(40 + (index % ${width}), 40 + Math.floor(index / ${width}), 1, 1)
    }
  }
  paint()
  setInterval(paint, 500)
  return canvas.captureStream(20)
}`
}
