module nutrition-journal/test/cluster/pause

go 1.26.0
