package badserver
