# shellcheck shell=bash
# The steps of a gate, for `.ci/run`. Sourcing this file begins the gate, which ends with "N passed, N failed, N skipped".
passed=0 failed=0 skipped=0
# Whoever waits for the gate stops waiting after ninety minutes, and must have got the result by then.
LAST_SECOND=5100
failures=()
# The folder with each step's output and exit code. Its file `steps` contains the names of the steps, in order.
logs=$(mktemp -d)
finish() {
  code=$?
  while read -r name; do count "$name"; done <"$logs/steps"
  [ "$code" = 0 ] || failures+=("the gate itself ($code)")
  [ ${#failures[@]} = 0 ] || { printf '\nFailed:\n'; printf '  %s\n' "${failures[@]}"; }
  rm -rf "$logs"
  printf '\n%s s\n%s passed, %s failed, %s skipped\n' "$SECONDS" "$passed" "$failed" "$skipped"
  [ "$failed" = 0 ] && [ "$code" = 0 ] || exit 1
}
trap finish EXIT

# tests NAME passed|failed|skipped: adds up the tests in a step's output. Vitest ends the output of each suite with
# "Tests  1 failed | 2 passed | 3 skipped (6)".
tests() { grep -E '^ +Tests  ' "$logs/$1.said" | grep -oE "[0-9]+ $2" | awk '{ sum += $1 } END { print sum + 0 }'; }

# count NAME: adds a step's results to the totals. Exit code 77 means that the step was skipped. A step without an exit code was killed
# from outside.
count() {
  local code worked broken left_out
  code=$(cat "$logs/$1.code" || echo unknown)
  worked=$(tests "$1" passed) broken=$(tests "$1" failed) left_out=$(tests "$1" skipped)
  passed=$((passed + worked)) failed=$((failed + broken)) skipped=$((skipped + left_out))
  if [ "$code" = 77 ]; then
    skipped=$((skipped + 1))
  elif [ "$code" != 0 ]; then
    failures+=("$1 (exit code $code)")
    [ "$broken" != 0 ] || failed=$((failed + 1))
  elif [ $((worked + broken + left_out)) = 0 ]; then
    passed=$((passed + 1))
  fi
}

# step NAME LIMIT COMMAND…: runs a command for at most LIMIT seconds, which is many times as long as it usually takes. The output goes to
# a file, because a child process that the command leaves behind would keep a pipe open, and the gate would wait for it. At the end,
# kills the command's process group. A child in a session of its own lives on, but nothing waits for it.
step() {
  local name=$1 limit=$2 began=$SECONDS left=$((LAST_SECOND - SECONDS)) program code
  shift 2
  echo "$name" >>"$logs/steps"
  printf '\n── %s (%s s)\n' "$name" "$SECONDS"
  [ "$left" -ge "$limit" ] || limit=$((left > 1 ? left : 1))
  : >"$logs/$name.said"
  timeout --kill-after=30 "$limit" "$@" >>"$logs/$name.said" 2>&1 </dev/null &
  program=$!
  tail --pid="$program" --sleep-interval=0.2 --lines=+1 --follow "$logs/$name.said"
  wait "$program"
  code=$?
  # `timeout` makes itself the leader of a new process group.
  kill -KILL -- "-$program" 2>/dev/null
  [ "$code" != 124 ] && [ "$code" != 137 ] || echo "It took longer than $limit s, and was ended."
  echo "── $name took $((SECONDS - began)) s"
  echo "$code" >"$logs/$name.code"
  return "$code"
}

skip() {
  printf '\n── %s: skipped: %s\n' "$1" "$2"
  skipped=$((skipped + 1))
}

# beside NAME LIMIT COMMAND…: runs a step in parallel with at most one other, because most steps spend much time waiting. Its output is
# shown when it has ended.
beside() {
  while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
  { step "$@" >"$logs/$1.shown"; cat "$logs/$1.shown"; } &
}
