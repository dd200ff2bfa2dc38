def graph_hashes(run_class, told, made):
    return []
