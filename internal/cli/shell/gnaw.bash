# Completion of gnaw in bash: source <(gnaw completion bash)
_gnaw() {
	# bash splits words at "=" and ":"; gnaw reads them as a whole.
	local whole=() word join='' i
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((${#whole[@]})) && [[ $join || $word == [=:]* ]]; then
			whole[${#whole[@]} - 1]+=$word
		else
			whole+=("$word")
		fi
		join=''
		[[ $word == *[=:] ]] && join=1
	done
	local current=${whole[${#whole[@]} - 1]}
	# bash replaces only what is behind the last "=" or ":".
	local kept=${current%"${current##*[=:]}"}
	local path=$current
	[[ $current == -*=* ]] && path=${current#*=}
	local also text
	COMPREPLY=()
	{
		IFS= read -r also
		while IFS=$'\t' read -r text _; do
			COMPREPLY+=("${text#"$kept"}")
			[[ $text == *= ]] && compopt -o nospace
		done
	} < <(gnaw complete-words "${whole[@]}" 2>/dev/null)
	local action=''
	[[ $also == dirs ]] && action=-d
	[[ $also == files ]] && action=-f
	if [[ $action ]]; then
		compopt -o filenames
		while IFS= read -r text; do
			COMPREPLY+=("$text")
		done < <(compgen "$action" -- "$path")
	fi
}
complete -F _gnaw gnaw
