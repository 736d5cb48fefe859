def unfinished(:
    pass
