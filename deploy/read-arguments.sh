# Sourced by the scripts beside this one: explains them, and refuses wrong arguments before anything runs.

usage() { sed -n '2,4s/^# \{0,1\}//p' "$0"; }
refuse() {
  echo "$1" >&2
  usage >&2
  exit 2
}

for argument in "$@"; do
  case "$argument" in
    -h | --help)
      usage
      exit 0
      ;;
  esac
done

# Reads the options of docker compose into the array "options".
read_options() {
  options=()
  while [ $# -gt 0 ]; do
    case "$1" in
      -f | --file | -p | --project-name | --env-file | --profile | --project-directory)
        [ $# -ge 2 ] || refuse "$1 needs a value."
        options+=("$1" "$2")
        shift 2
        ;;
      --file=* | --project-name=* | --env-file=* | --profile=* | --project-directory=*)
        options+=("$1")
        shift
        ;;
      *) refuse "This is no option that the script passes on to docker compose: $1" ;;
    esac
  done
}

# Reads the file that comes before the options into "file".
read_file() {
  file=${1:-}
  case "$file" in
    '' | -*) refuse "Name the file first." ;;
  esac
}
