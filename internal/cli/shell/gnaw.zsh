#compdef gnaw
# Completion of gnaw in zsh: gnaw completion zsh > "${fpath[1]}/_gnaw"
_gnaw() {
	local -a answer closed closedshown open openshown
	local line text shown
	answer=("${(@f)$(gnaw complete-words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
	for line in "${(@)answer[2,-1]}"; do
		text=${line%%$'\t'*}
		shown=$text
		[[ ${line#*$'\t'} ]] && shown="$text -- ${line#*$'\t'}"
		if [[ $text == *= ]]; then
			open+=("$text")
			openshown+=("$shown")
		else
			closed+=("$text")
			closedshown+=("$shown")
		fi
	done
	compadd -l -d closedshown -a closed
	compadd -l -S '' -d openshown -a open
	case $answer[1] in
	dirs | files)
		[[ $PREFIX == -*=* ]] && compset -P '*='
		if [[ $answer[1] == dirs ]]; then
			_path_files -/
		else
			_path_files
		fi
		;;
	esac
}
if [[ $funcstack[1] == _gnaw ]]; then
	_gnaw "$@"
else
	compdef _gnaw gnaw
fi
